// The addresses of the court figures, by card.
const found = import.meta.glob<string>("./courts/*.svg", {
  eager: true,
  query: "?url&no-inline",
  import: "default",
});

export const figures: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(found).map(([path, url]) => [path.slice(-6, -4), url]),
);
