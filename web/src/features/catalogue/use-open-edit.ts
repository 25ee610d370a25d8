import type {
  AnswerOf,
  CatalogueItem,
  CataloguePack,
  CataloguePlan,
  getCatalogue,
  Pricing,
} from '@rowmill/contract';
import { useState } from 'react';
import { queryClient } from '../../lib/api/query.ts';
import { errorMessage } from '../../lib/api/refusal.ts';
import { showToast } from '../../lib/toasts.ts';
import { catalogueQuery } from './api.ts';

type Catalogue = AnswerOf<typeof getCatalogue>;

/** `key` changes with the values that the form starts from. */
type Open = { key: string } & (
  | { kind: 'plan'; item: CataloguePlan | null }
  | { kind: 'pack'; item: CataloguePack | null }
  | { kind: 'pricing'; item: Pricing }
);

/**
 * The edit that is open. It keeps what it was opened with, so that no answer that comes meanwhile
 * overwrites what is typed.
 */
export function useOpenEdit(catalogue: Catalogue) {
  const [open, setOpen] = useState<Open | null>(null);
  async function showCurrent(): Promise<void> {
    if (!open) return;
    try {
      const fresh = await queryClient.fetchQuery({ ...catalogueQuery(), staleTime: 0 });
      setOpen(opened(fresh, open.kind, open.item && 'id' in open.item ? open.item.id : null));
    } catch (error) {
      showToast('error', errorMessage(error));
    }
  }
  return {
    open,
    edit: (kind: CatalogueItem, id: string | null) => setOpen(opened(catalogue, kind, id)),
    showCurrent: () => void showCurrent(),
    close: () => setOpen(null),
  };
}

function opened(
  { plans, packs, pricing }: Catalogue,
  kind: CatalogueItem,
  id: string | null,
): Open {
  if (kind === 'pricing') return { kind, item: pricing, key: `${pricing.version}` };
  if (kind === 'plan') {
    const item = plans.find((plan) => plan.id === id) ?? null;
    return { kind, item, key: `${id} ${item?.version}` };
  }
  const item = packs.find((pack) => pack.id === id) ?? null;
  return { kind, item, key: `${id} ${item?.version}` };
}
