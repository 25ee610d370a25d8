const escaped = /_x([\dA-Fa-f]{4})_/g;

/**
 * Workbooks write characters that XML cannot hold as `_x000D_`. No database stores a NUL or half a
 * surrogate pair.
 */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text
    .replaceAll(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\r\n', '\n')
    .replaceAll('\0', '')
    .toWellFormed();
}
