// The texts of hints and of the download of a record. They are loaded with them.
import type { Choice } from "../lib/types";
import { text } from "../strings";

export const downloads = {
  about: "The whole game, to keep or to study: as text for people, as JSON for programs.",
  text: "As text",
  json: "As JSON",
  textNamed: "Download as text",
  jsonNamed: "Download as JSON",
  unfinished: "Until the game is over, only its finished deals.",
};

export const advised = {
  now: "Do it",
  /** What to do, before the cards and the sign of the suit. */
  does: ([kind, what]: Choice, leads: boolean) => {
    switch (kind) {
      case "play":
        return leads ? "Lead" : "Play";
      case "bid":
        return `Bid ${what}`;
      case "pass":
        return "Pass";
      case "trump":
        return `Make ${text.suits[what]} trump`;
      case "bury":
        return "Bury";
      case "give":
        return "Pass";
      case "discard":
        return what.length ? "Exchange" : "Keep all your cards";
      case "meld":
        return "Lay";
      case "concede":
        return "Give up";
    }
  },
};

export const tried = {
  show: "What each choice brings",
  points: "points",
  game: "game won",
  bid: "bid made",
  about:
    "Averages of many deals that fit the cards seen. The points are this side's alone. What the others score decides too, so the choice with fewer points can win more games.",
  done: "chosen",
};
