/** Some browsers read the URL only after the click has returned. */
const urlLifetimeMilliseconds = 60_000;

/** Starts a browser download of the content. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), urlLifetimeMilliseconds);
}
