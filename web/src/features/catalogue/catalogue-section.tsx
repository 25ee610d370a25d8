import { type ReactNode, useId } from 'react';
import { useCan } from '../../lib/hooks/use-can.ts';
import { Button } from '../../ui/button.tsx';

interface Props {
  title: string;
  addLabel: string;
  onAdd: () => void;
  children: ReactNode;
}

/** What is offered of a kind, with a way to add to it. */
export function CatalogueSection({ title, addLabel, onAdd, children }: Props) {
  const canEdit = useCan('editCatalogue');
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <div className="spread">
        <h2 id={id}>{title}</h2>
        {canEdit && (
          <Button variant="secondary" aria-haspopup="dialog" onClick={onAdd}>
            {addLabel}
          </Button>
        )}
      </div>
      {children}
    </section>
  );
}
