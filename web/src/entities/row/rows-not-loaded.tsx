import type { UseQueryResult } from '@tanstack/react-query';
import * as texts from '../../texts/entities.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Offers to load the pages of a grid again that failed. */
export function RowsNotLoaded({ pages }: { pages: readonly Pick<UseQueryResult, 'refetch'>[] }) {
  if (pages.length === 0) return null;
  return (
    <Notice tone="error">
      <p>{texts.rowsNotLoaded}</p>
      <Button variant="secondary" onClick={() => pages.forEach((page) => void page.refetch())}>
        {texts.tryAgain}
      </Button>
    </Notice>
  );
}
