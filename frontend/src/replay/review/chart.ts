// The points of the graph of a review: the chance to win at every decision.
import type { FinishedReview, ReviewedDecision } from "../../lib/messages";

export interface Drop {
  x: number;
  from: number;
  to: number;
  decision: ReviewedDecision;
}
export interface Chart {
  width: number; // in decisions and deals
  line: [number, number][]; // place and chance
  deals: { deal: number; x: number }[]; // where each begins
  drops: Drop[]; // what mistakes cost
}

/** The chance over the whole game. A decision that costs something is a vertical drop. */
export function chart({ deals, decisions }: Pick<FinishedReview, "deals" | "decisions">): Chart {
  const found: Chart = { width: 0, line: [], deals: [], drops: [] };
  let x = 0;
  for (const deal of deals) {
    found.deals.push({ deal: deal.deal, x });
    found.line.push([x, deal.before]);
    for (const one of decisions) {
      if (one.deal !== deal.deal) continue;
      x += 1;
      const best = one.chance + one.chance_lost;
      found.line.push([x, best], [x, one.chance]);
      if (one.mistake) found.drops.push({ x, from: best, to: one.chance, decision: one });
    }
    x += 1;
    found.line.push([x, deal.after]);
  }
  found.width = x;
  return found;
}
