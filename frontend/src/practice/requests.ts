// Practice positions and the answers to them, over HTTP.
import * as api from "../lib/api";
import type {
  NextPractice,
  PracticeAnswer,
  PracticePosition,
  PracticeResult,
  RetryAnswer,
} from "../lib/messages";

export const nextPosition = (theme: string) =>
  api.call<NextPractice>(`/api/practice?theme=${encodeURIComponent(theme)}`);
export const answer = (id: string, choice: number) =>
  api.call<PracticeResult>("/api/practice", { id, choice } satisfies PracticeAnswer);

/** The place of a mistake in a game: where it is tried again. */
export type Mistake = Omit<RetryAnswer, "choice">;

const path = (table: string) => `/api/tables/${encodeURIComponent(table)}/review/again`;
export const retryPosition = (table: string, { game, seat, deal, step }: Mistake) =>
  api.call<PracticePosition>(`${path(table)}?game=${game}&seat=${seat}&deal=${deal}&step=${step}`);
export const answerRetry = (table: string, mistake: Mistake, choice: number) =>
  api.call<PracticeResult>(path(table), { ...mistake, choice } satisfies RetryAnswer);
