/** What can lie over a replay, one at a time. */
export type Panel = "facts" | "why" | "records" | "review";
