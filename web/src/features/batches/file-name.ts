/** The name that the server gives a file, in the encoded form where there is one. */
export function fileNameIn(disposition: string | null): string | null {
  const [, encoded] = /filename\*\s*=\s*utf-8''([^;]+)/i.exec(disposition ?? '') ?? [];
  const [, quoted, bare] =
    /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition ?? '') ?? [];
  return decoded(encoded) ?? quoted?.replace(/\\(.)/g, '$1') ?? bare ?? null;
}

function decoded(text: string | undefined): string | null {
  try {
    return text ? decodeURIComponent(text.trim()) : null;
  } catch {
    return null;
  }
}
