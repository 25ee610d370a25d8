/** As the `ref` of the marked option of a list, while the focus stays in a field. */
export function scrollIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}
