import { getVariables, saveVariable } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { invalidate } from '../../../lib/query.ts';
import { wordsFor } from '../../../lib/refusal.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { type KeptVariable, useVariables } from '../api.ts';
import { VariableForm } from './variable-form.tsx';

interface VariableSectionProps {
  columns: readonly string[];
}

/** Named pieces of text that a person keeps, usable in every question. */
export function VariableSection({ columns }: VariableSectionProps) {
  const query = useVariables();
  const [edited, setEdited] = useState<KeptVariable | null>(null);
  const [removed, setRemoved] = useState<string | null>(null);
  async function onSaved() {
    setEdited(null);
    await invalidate(getVariables);
  }
  return (
    // Without them nothing can be filled in, so a failure must not stay hidden.
    <details className="ask-details" open={query.isError || undefined}>
      <summary>{texts.keptVariables}</summary>
      <div className="stack">
        <Loading query={query}>
          {(variables) => (
            <VariableList
              variables={variables}
              columns={columns}
              onEdit={setEdited}
              onRemove={setRemoved}
            />
          )}
        </Loading>
        <VariableForm
          key={edited?.name ?? ''}
          variable={edited}
          onSaved={onSaved}
          onCancel={() => setEdited(null)}
        />
      </div>
      {removed !== null && (
        <RemovalDialog name={removed} onRemoved={onSaved} onClose={() => setRemoved(null)} />
      )}
    </details>
  );
}

function RemovalDialog({
  name,
  onRemoved,
  onClose,
}: {
  name: string;
  onRemoved: () => Promise<void>;
  onClose: () => void;
}) {
  const remove = useMutation({
    mutationFn: () => call(saveVariable, { variable: { name, value: '' } }),
    onSuccess: onRemoved,
    onError: (error) => showToast('error', wordsFor(error)),
    onSettled: onClose,
  });
  return (
    <Dialog title={texts.removeTitle(name)} onClose={onClose}>
      <p>{texts.whatRemovingDoes}</p>
      <div className="row">
        <Button variant="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {texts.remove}
        </Button>
        <Button variant="secondary" onClick={onClose}>
          {texts.cancel}
        </Button>
      </div>
    </Dialog>
  );
}

interface VariableListProps {
  variables: readonly KeptVariable[];
  columns: readonly string[];
  onEdit: (variable: KeptVariable) => void;
  onRemove: (name: string) => void;
}

export function VariableList({ variables, columns, onEdit, onRemove }: VariableListProps) {
  if (variables.length === 0) {
    return <p className="soft">{texts.noVariables}</p>;
  }
  return (
    <ul className="plain stack">
      {variables.map((variable) => (
        <li key={variable.name} className="ask-variable">
          <span className="ask-name">
            <strong>{variable.name}</strong>
            {columns.includes(variable.name) && (
              <span className="soft"> {texts.columnGoesFirst}</span>
            )}
            <span className="ask-clip soft">{variable.value}</span>
          </span>
          <span className="row">
            <Button
              variant="ghost"
              aria-label={texts.editNamed(variable.name)}
              onClick={() => onEdit(variable)}
            >
              {texts.edit}
            </Button>
            <Button
              variant="ghost"
              aria-label={texts.removeNamed(variable.name)}
              onClick={() => onRemove(variable.name)}
            >
              {texts.remove}
            </Button>
          </span>
        </li>
      ))}
    </ul>
  );
}
