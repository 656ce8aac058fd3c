// Reviews of a finished game: asked for, and followed until they are done.
import * as api from "../../lib/api";
import type { FinishedReview, ReviewProgress, ReviewRequest } from "../../lib/messages";

const POLL_MS = 1000;

const path = (table: string) => `/api/tables/${encodeURIComponent(table)}/review`;

const start = (table: string, wanted: ReviewRequest) => api.call<ReviewProgress>(path(table), wanted);
const look = (table: string, { game, seat }: ReviewRequest, deals: number) =>
  api.call<ReviewProgress>(`${path(table)}?game=${game}&seat=${seat}&deals=${deals}`);

export interface Follower {
  onprogress: (done: number, total: number) => void;
  ontrouble: (sentence: string, ended: boolean) => void; // ended: it is not asked again
  onreview: (review: FinishedReview, isDone: boolean) => void; // of the first deals, until it is done
}

/** Ask for a review and tell how far it is until it is done. Returns what stops that. */
export function follow(table: string, wanted: ReviewRequest, follower: Follower): () => void {
  let stopped = false;
  let timer = 0;
  let deals = 0; // so many are reviewed and known here
  async function ask(first: boolean): Promise<void> {
    let again: boolean;
    try {
      const found = await (first ? start(table, wanted) : look(table, wanted, deals));
      if (stopped) return;
      again = found.state === "none"; // the server has forgotten it, because it was restarted
      if (found.state === "done" && found.review) return follower.onreview(found.review, true);
      if (found.state === "failed") return follower.ontrouble(found.error, true);
      if (found.review) {
        deals = found.review.deals.length;
        follower.onreview(found.review, false);
      }
      follower.onprogress(found.done, found.total);
    } catch (error) {
      if (stopped) return;
      const ended = error instanceof api.RefusedError;
      follower.ontrouble((error as Error).message, ended);
      if (ended) return;
      again = first;
    }
    timer = window.setTimeout(() => void ask(again), again && !first ? 0 : POLL_MS);
  }
  void ask(true);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
