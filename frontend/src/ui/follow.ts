// Follows a link within the page without loading the page again, except into another tab or window.

export function followLink(
  event: MouseEvent & { currentTarget: HTMLAnchorElement },
  go: (path: string) => void,
): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(event.currentTarget.getAttribute("href")!);
}
