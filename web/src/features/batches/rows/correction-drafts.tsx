import { createContext, type ReactNode, useContext, useState } from 'react';
import type { Values } from '../../../lib/hooks/use-form.ts';

type Drafts = Map<string, Values>;
const DraftsContext = createContext<Drafts | null>(null);

/** Keeps corrections that are not saved yet, by batch and row, while other rows are read. */
export function CorrectionDrafts({ children }: { children: ReactNode }) {
  const [drafts] = useState<Drafts>(() => new Map());
  return <DraftsContext value={drafts}>{children}</DraftsContext>;
}

export function useCorrectionDrafts(): Drafts {
  const drafts = useContext(DraftsContext);
  if (!drafts) throw new Error('A correction has no place for its draft.');
  return drafts;
}
