/** As a `ref`, for example of the marked option of a list, while the focus stays in a field. */
export function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
