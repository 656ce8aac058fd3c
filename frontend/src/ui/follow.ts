// A link within the page is followed without loading it anew, unless another tab or window is asked for.

export function follow(
  event: MouseEvent & { currentTarget: HTMLAnchorElement },
  go: (path: string) => void,
): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(event.currentTarget.getAttribute("href")!);
}
