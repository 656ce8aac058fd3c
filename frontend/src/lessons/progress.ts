// The lessons as this browser remembers them: which are done, and whether they were offered.
const KEY = "acesaround.lessons";

interface Progress {
  done: string[];
  offered: boolean; // the offer was answered, or the list of lessons was opened
}

export function readProgress(): Progress {
  try {
    return {
      done: [],
      offered: false,
      ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Progress>),
    };
  } catch {
    return { done: [], offered: false };
  }
}

export function saveProgress(change: Partial<Progress>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...readProgress(), ...change }));
  } catch {
    // private windows: nothing is remembered
  }
}

export function markDone(lesson: string): void {
  const { done } = readProgress();
  if (!done.includes(lesson)) saveProgress({ done: [...done, lesson] });
}
