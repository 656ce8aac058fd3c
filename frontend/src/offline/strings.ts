// The texts that are shown without a network, and the one of the button that installs the page.
export const offline = {
  none: "No network. Your games are saved. You can still read the rules.",
  silent: "The server cannot be reached. Your games are saved. You can still read the rules.",
  read: "Read the rules",
  again: "Try again",
  title: "Rules of the games",
  game: "Game",
  missing: "The rules are not stored on this device yet. Open this page once while you are online.",
  install: "Install as an app",
};
