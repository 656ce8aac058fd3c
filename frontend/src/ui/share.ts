// Handing on a link. On plain http a page may neither share nor copy: then the link is shown.

export type Handed = "shared" | "copied" | "shown";

/** Share a link by the means there are. "shown": by none, the person is to copy it by hand. */
export async function shareLink(url: string, title: string): Promise<Handed> {
  if (typeof navigator.share === "function") {
    try {
      await navigator.share({ url, title });
      return "shared";
    } catch (error) {
      if ((error as Error).name === "AbortError") return "shared"; // changed their mind
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    return "copied";
  } catch {
    return "shown";
  }
}
