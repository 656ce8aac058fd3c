// What the lessons ask over HTTP.
import { call } from "../lib/api";
import type { LessonListed, OpenLessonRequest, TableOpened } from "../lib/messages";

export const lessons = () => call<LessonListed[]>("/api/lessons");

/** Opens the table of a lesson, or finds the one where it was begun. Returns its address. */
export async function openLesson(lesson: string): Promise<string> {
  const { id } = await call<TableOpened>("/api/lessons", { lesson } satisfies OpenLessonRequest);
  return `/t/${id}`;
}
