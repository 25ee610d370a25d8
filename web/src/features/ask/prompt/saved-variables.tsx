import { askChatGpt, getVariables, namesBeside, saveVariable } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../lib/api/api-client.ts';
import { invalidate } from '../../../lib/api/query.ts';
import { InvalidFields, useForm } from '../../../lib/hooks/use-form.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { Disclosure } from '../../../ui/form/disclosure.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { TextArea } from '../../../ui/form/text-area.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { type SavedVariable, useVariables } from '../api.ts';
import styles from './prompt.module.css';

/** Named texts that can be used in every prompt. */
export function SavedVariables({ columns }: { columns: readonly string[] }) {
  const query = useVariables();
  const [edited, setEdited] = useState<SavedVariable | null>(null);
  const [removed, setRemoved] = useState<string | null>(null);
  const section = useRef<HTMLElement>(null);
  /** The focused button of the form or the list disappears. */
  function endEditing() {
    setEdited(null);
    section.current?.focus();
  }
  async function onSaved() {
    endEditing();
    await invalidate(getVariables);
    // A quote and the answers that it brings depend on the texts.
    void invalidate(askChatGpt);
  }
  return (
    // Without the variables no prompt can be filled in, so a failure to load them is shown.
    <Disclosure title={texts.savedVariables} forceOpen={query.isError}>
      <section ref={section} className="stack" tabIndex={-1} aria-label={texts.savedVariables}>
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
          onCancel={endEditing}
        />
      </section>
      {removed !== null && (
        <RemoveDialog name={removed} onRemoved={onSaved} onClose={() => setRemoved(null)} />
      )}
    </Disclosure>
  );
}

interface VariableListProps {
  variables: readonly SavedVariable[];
  columns: readonly string[];
  onEdit: (variable: SavedVariable) => void;
  onRemove: (name: string) => void;
}

function VariableList({ variables, columns, onEdit, onRemove }: VariableListProps) {
  if (variables.length === 0) return <p className="muted">{texts.noVariables}</p>;
  const names = variables.map(({ name }) => name);
  const isUsable = new Set(namesBeside(columns, names));
  return (
    <ul className="plain stack">
      {variables.map((variable) => (
        <li key={variable.name} className={styles.variable}>
          <span className={styles.variableText}>
            <strong>{variable.name}</strong>
            {!isUsable.has(variable.name) && (
              <span className="muted"> {texts.columnTakesPrecedence}</span>
            )}
            <span className={`${styles.clamped} muted`}>{variable.value}</span>
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

interface RemoveDialogProps {
  name: string;
  onRemoved: () => Promise<void>;
  onClose: () => void;
}

function RemoveDialog({ name, onRemoved, onClose }: RemoveDialogProps) {
  const remove = useMutation({
    mutationFn: () => call(saveVariable, { variable: { name, value: '' } }),
    onSuccess: async () => {
      await onRemoved();
      onClose();
    },
  });
  return (
    <Dialog title={texts.removeVariable(name)} onClose={onClose}>
      <p>{texts.promptsNeedChange}</p>
      <div className="row">
        <Button variant="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {texts.remove}
        </Button>
        <Button variant="secondary" onClick={onClose}>
          {texts.cancel}
        </Button>
        <ErrorNote error={remove.error} />
      </div>
    </Dialog>
  );
}

interface Props {
  /** The variable to edit, or null to add one. */
  variable: SavedVariable | null;
  onSaved: () => Promise<void>;
  onCancel: () => void;
}

function VariableForm({ variable, onSaved, onCancel }: Props) {
  const { data: variables = [] } = useVariables();
  const [savedCount, setSavedCount] = useState(0);
  const text = useRef<HTMLTextAreaElement>(null);
  // Below a long list, the form may be out of view.
  useEffect(() => {
    if (variable) text.current?.focus();
  }, [variable]);
  const form = useForm(async (values, send) => {
    const { 'variable.name': name = '', 'variable.value': value = '' } = values;
    if (!value.trim()) throw new InvalidFields({ 'variable.value': texts.enterText });
    // Saving replaces the text of a variable with this name.
    if (!variable && variables.some((saved) => saved.name === name.trim()))
      throw new InvalidFields({ 'variable.name': texts.variableTaken });
    const { message } = await send(saveVariable, { variable: { name, value } });
    setSavedCount(savedCount + 1);
    await onSaved();
    return message;
  });
  return (
    <Form form={form} key={savedCount}>
      <h3>{variable ? texts.editVariable(variable.name) : texts.addVariable}</h3>
      {variable ? (
        <input type="hidden" name="variable.name" value={variable.name} />
      ) : (
        <TextField label={texts.variableName} name="variable.name" />
      )}
      <TextArea
        label={texts.variableText}
        name="variable.value"
        ref={text}
        defaultValue={variable?.value ?? ''}
      />
      <div className="row">
        <Button type="submit" variant="secondary">
          {texts.save}
        </Button>
        {variable && (
          <Button variant="ghost" onClick={onCancel}>
            {texts.cancel}
          </Button>
        )}
      </div>
    </Form>
  );
}
