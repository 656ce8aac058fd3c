// The texts around an explained word; the explanations are in the glossary.
export const wordsText = {
  title: "What it means",
  explain: "Explain each step",
};
