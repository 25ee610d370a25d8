import { useEffect } from 'react';
import * as texts from '../../texts/lib.ts';

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = texts.windowTitle(title);
  }, [title]);
}
