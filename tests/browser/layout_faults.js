// What is wrong with the boxes of this page, in short sentences: what leaves the screen, is cut off
// or lies over something else. With a dialog open only what is in it counts.
() => {
  const SLACK = 2; // pixels that nobody sees
  const root = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const found = new Set();
  const words = (node) => (node.textContent ?? "").replace(/\s+/g, " ").trim().slice(0, 28);
  const named = (node) => {
    const label = node.getAttribute?.("aria-label");
    const kind = node.localName + [...(node.classList ?? [])].filter((c) => !/^s(velte-)?[0-9a-z]{5,7}$/.test(c) || c === "button").map((c) => "." + c).join("");
    return `${kind} “${label || words(node)}”`;
  };
  const ACTS = "button, a[href], input, select, textarea, summary, [role=button], [tabindex='0']";
  const px = Math.round;

  // A page that is a table or a replay does not scroll, and no page does sideways.
  const page = document.scrollingElement;
  if (page.scrollWidth > innerWidth + 1) found.add(`page: ${page.scrollWidth - innerWidth} px wider than the screen`);
  const whole = document.querySelector("[data-phase], [role=group] input[type=range]");
  if (whole && page.scrollHeight > innerHeight + 1) found.add("page: higher than the screen");

  const style = new Map();
  const styled = (node) => style.get(node) ?? style.set(node, getComputedStyle(node)).get(node);
  /** For the eyes: not only for a screen reader, not clear, and not in a part that is closed. */
  const seen = (node) => {
    if (!node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    for (let at = node; at && at !== document.documentElement; at = at.parentElement) {
      const { clipPath } = styled(at);
      if (clipPath === "inset(50%)") return false;
    }
    return true;
  };
  const above = (node) => {
    const chain = [];
    for (let at = node.parentElement, of = styled(node).position; at && at !== document.documentElement; at = at.parentElement) {
      if (of === "fixed") break;
      if (of === "absolute" && styled(at).position === "static" && styled(at).transform === "none") continue;
      chain.push(at);
      of = styled(at).position;
      if (at === root) break;
    }
    return chain;
  };
  const cut = (a, b) => ({
    left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
  });
  const wide = (r) => r.right - r.left;
  const high = (r) => r.bottom - r.top;
  const inner = (node) => {
    const r = node.getBoundingClientRect();
    const left = r.left + node.clientLeft, top = r.top + node.clientTop;
    return { left, top, right: left + node.clientWidth, bottom: top + node.clientHeight };
  };
  const scrolls = (value) => value === "auto" || value === "scroll";

  /** What of a box shows on the screen. What is lost is a fault, but not where one can scroll to it. */
  function shown(node, box, what, text) {
    let rest = box;
    const chain = text ? [node, ...above(node)] : above(node);
    for (const at of chain) {
      const how = styled(at);
      if (how.overflowX === "visible" && how.overflowY === "visible") continue;
      if (styled(at).display === "inline") continue;
      const room = inner(at);
      const past = {
        x: Math.max(room.left - rest.left, rest.right - room.right),
        y: Math.max(room.top - rest.top, rest.bottom - room.bottom),
      };
      if (past.x > SLACK && how.overflowX !== "visible" && !scrolls(how.overflowX)) {
        const dots = [node, ...chain].some((one) => styled(one).textOverflow === "ellipsis" && styled(one).overflowX !== "visible");
        if (text && dots && /“[^”]*\d/.test(what)) found.add(`a number is cut: ${what}`);
        if (!(text && dots)) found.add(`cut off: ${what}, ${px(past.x)} px sideways`);
      }
      if (past.y > SLACK && how.overflowY !== "visible" && !scrolls(how.overflowY)) {
        const lines = [node, ...chain].some((one) => styled(one).webkitLineClamp !== "none");
        if (!(text && lines)) found.add(`cut off: ${what}, ${px(past.y)} px of its height`);
      }
      const before = wide(rest);
      rest = cut(rest, room);
      if (text && before >= 12 && wide(rest) < 12 && high(rest) > 1 && !scrolls(how.overflowX)) found.add(`nothing left of: ${what}`);
      if (wide(rest) < 1 || high(rest) < 1) return null;
    }
    const out = {
      x: Math.max(-rest.left, rest.right - innerWidth),
      y: Math.max(-rest.top, rest.bottom - innerHeight),
    };
    const inDialog = root !== document.body;
    if (out.x > SLACK) found.add(`off the screen: ${what}, ${px(out.x)} px sideways`);
    if (out.y > SLACK && (whole || inDialog)) found.add(`off the screen: ${what}, ${px(out.y)} px of its height`);
    return rest;
  }

  const overlaps = new Map(); // the worst between two things
  const boxes = [];
  const add = (node, box, kind, what, text = false) => {
    if (wide(box) < 1 || high(box) < 1) return;
    const rest = shown(node, box, what, text);
    if (rest) boxes.push({ node, kind, what, ...rest });
  };
  for (const node of root.querySelectorAll(ACTS)) {
    if (!seen(node) || node.closest("[data-card]")) continue;
    if (node.matches("[data-explains]")) continue; // lies over the words that it explains
    // a part that only scrolls is no button
    if (!node.matches("button, a, input, select, textarea, summary, [role=button]")) continue;
    add(node, node.getBoundingClientRect(), "button", named(node));
  }
  for (const node of root.querySelectorAll(".card, [data-card]")) {
    if (!seen(node) || node.classList.contains("unseen") || !node.closest(".layer, [data-phase]")) continue;
    if (node.closest(".cards")) continue;
    add(node, node.getBoundingClientRect(), "card", "a card");
  }
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode, node = text.parentElement;
    if (!text.data.trim() || node.closest("script, style, option, .card, [data-card]") || !seen(node)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const button = node.closest("button, a.button, select");
    for (const line of range.getClientRects()) {
      if (line.width < 2) continue;
      // letters are lower than their line
      const slim = { left: line.left, right: line.right, top: line.top + line.height * 0.15, bottom: line.bottom - line.height * 0.15 };
      add(node, slim, "text", `“${words(text)}” in ${named(node).split(" “")[0]}`, true);
      if (button && button !== root) {
        const room = button.getBoundingClientRect();
        const over = Math.max(room.left - slim.left, slim.right - room.right);
        const dots = styled(node).textOverflow === "ellipsis";
        if (over > SLACK && !dots) found.add(`outgrown: ${named(button)}, by ${px(over)} px`);
      }
    }
  }

  // A table in a text is read whole: nobody sees that one could scroll it.
  for (const node of root.querySelectorAll(".prose [role=region]:has(> table)"))
    if (seen(node) && node.scrollWidth > node.clientWidth + 1) found.add(`cut off: ${named(node)}, ${node.scrollWidth - node.clientWidth} px sideways`);

  // What lies over what. A card may cover a card; a thing may lie in what it belongs to.
  const layer = (node) => {
    for (let at = node; at && at !== root; at = at.parentElement) {
      const how = styled(at).position;
      if (how === "sticky" || how === "fixed" || at.hasAttribute("data-over")) return at;
    }
    return null;
  };
  for (const box of boxes) box.layer = layer(box.node);
  // A hint may lie over the backs of others' cards, which say nothing.
  const noted = (a, b) => a.node.matches(".card.back.flat") && b.node.parentElement?.closest(".note");
  boxes.sort((a, b) => a.left - b.left);
  for (let i = 0; i < boxes.length; i++) {
    const a = boxes[i];
    for (let j = i + 1; j < boxes.length && boxes[j].left < a.right; j++) {
      const b = boxes[j];
      if (a.layer !== b.layer) continue;
      if (a.kind === "card" && b.kind === "card") continue;
      if (noted(a, b) || noted(b, a)) continue;
      if (a.node === b.node || a.node.contains(b.node) || b.node.contains(a.node)) continue;
      const both = cut(a, b);
      if (wide(both) <= SLACK || high(both) <= SLACK) continue;
      const [x, y] = [a.what, b.what].sort();
      const key = `overlap: ${x} and ${y}`, size = wide(both) * high(both);
      if (size > (overlaps.get(key)?.size ?? 0)) overlaps.set(key, { size, says: `${key}, ${px(wide(both))}x${px(high(both))} px` });
    }
  }
  for (const { says } of overlaps.values()) found.add(says);
  return [...found].sort();
}
