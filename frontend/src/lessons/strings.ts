// The texts of the lessons: their list, the panel at the table, and the offer. The sentences of a
// lesson come from the server.
export const text = {
  title: "Learn pinochle",
  about: "You play at a real table. A sentence says what happens and waits for your move.",
  minutes: (n: number) => `${n} minutes`,
  state: { new: "Start", begun: "Continue", done: "Take it again" } as Record<string, string>,
  done: "done",
  first: "Start here",
  games: "What is special in each game",
  rules: "Read the rules instead",
  practice: "Practice hard decisions",

  lesson: "Lesson",
  step: (n: number, of: number) => `Step ${n} of ${of}`,
  waits: { watch: "Watch", move: "Your move" } as Record<string, string>,
  goOn: "Go on",
  over: "The end of the lesson",
  play: (game: string) => `Play ${game} against bots`,
  next: (title: string) => `Next lesson: ${title}`,
  again: "Start over",
  all: "All lessons",

  offer: "Never played pinochle? Learn it in five minutes.",
  take: "First lesson",
  no: "No, thanks",
};
