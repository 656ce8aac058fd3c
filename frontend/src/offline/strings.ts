// What the page says where there is no network, and of being installed.
export const offline = {
  none: "No network: games wait until it is back, the rules can be read meanwhile.",
  silent: "The server cannot be reached: games wait until it is back, the rules can be read meanwhile.",
  read: "Read the rules",
  again: "Try again",
  title: "Rules of the games",
  game: "Game",
  missing: "The rules are not kept on this device yet: open this page once with a network.",
  install: "Install as an app",
};
