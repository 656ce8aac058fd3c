// The texts of the download of a record. They are loaded with it.
export const downloads = {
  about: "The whole game, to keep or to study: as text for people, as JSON for programs.",
  text: "As text",
  json: "As JSON",
  textNamed: "Download as text",
  jsonNamed: "Download as JSON",
  unfinished: "Until the game is over, only its finished deals.",
};
