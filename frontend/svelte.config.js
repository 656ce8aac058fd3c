import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

const owners = new Map(); // the styles by their short name

/** The name of a style scope. It stands at every element, so that long names are a kilobyte of the page. */
function cssHash({ hash, css }) {
  const whole = `s${hash(css)}`;
  const short = whole.slice(0, 4);
  if ((owners.get(short) ?? css) !== css) return whole.slice(0, 6);
  owners.set(short, css);
  return short;
}

export default {
  preprocess: vitePreprocess(),
  compilerOptions: { cssHash },
};
