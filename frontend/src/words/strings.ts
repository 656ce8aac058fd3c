// What people read where words are explained, beside the glossary.
export const wordsText = {
  title: "What it means",
  explain: "Explain each step",
};
