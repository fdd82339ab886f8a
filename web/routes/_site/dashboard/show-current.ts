/**
 * Ref of a row of tabs that scrolls sideways on narrow screens. Scrolls it to the current tab, which could be out of sight, whenever
 * the row gets another width.
 */
export function showCurrent(row: HTMLElement): () => void {
  const observer = new ResizeObserver(() => {
    const current = row.querySelector('[aria-current]');
    if (!current) return;
    const [outer, inner] = [row.getBoundingClientRect(), current.getBoundingClientRect()];
    row.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  });
  observer.observe(row);
  return () => observer.disconnect();
}
