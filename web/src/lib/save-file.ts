/** Some browsers read the address only after the click has returned; a minute is ample, and the page may be closed before. */
const keptMilliseconds = 60_000;

/** Hands a file to the browser's own download. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), keptMilliseconds);
}
