import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Takes files that are dropped anywhere on the page: beside a small target the browser would open
 * the file in the place of the page. Tells whether files are over the page.
 */
export function useFileDrop(onFiles: (files: FileList) => void): boolean {
  const [isOver, setOver] = useState(false);
  const hover = useEffectEvent((event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  });
  const take = useEffectEvent((event: DragEvent) => {
    const { dataTransfer } = event;
    if (!dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    setOver(false);
    if (!document.querySelector('dialog[open]')) onFiles(dataTransfer.files);
  });
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener('dragover', (event) => hover(event), { signal });
    document.addEventListener('drop', (event) => take(event), { signal });
    // Only what leaves the window goes to nothing.
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    document.addEventListener('dragleave', leave, { signal });
    return () => listening.abort();
  }, []);
  return isOver;
}
