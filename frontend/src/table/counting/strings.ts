// The texts of the counting trainer.
export const text = {
  title: "Counting trainer",
  trumps: "How many trumps are still out?",
  aces: "Which suits still have an ace out? Choose all of them.",
  out: "Out is what you neither hold nor have seen played.",
  number: (n: number) => `${n} out`,
  done: "Done",
  none: "None of them",
  right: "Right!",
  wrong: "Not quite.",
  are: (n: number) => (n === 0 ? "None was out." : n === 1 ? "This one was out:" : `These ${n} were out:`),
  score: (right: number, asked: number) => `${right} of ${asked} right so far.`,
  goOn: "Go on",
  off: "Ask no more",
};
