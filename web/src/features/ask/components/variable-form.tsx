import { saveVariable } from '@rowmill/contract';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { showToast } from '../../../lib/toasts.ts';
import { useSubmit } from '../../../lib/use-submit.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { KeptVariable } from '../api.ts';
import { TextArea } from './text-area.tsx';

interface Props {
  /** The one that is changed, or null for a new one. */
  variable: KeptVariable | null;
  onSaved: () => Promise<void>;
  onCancel: () => void;
}

/** The fields are those of the variable itself, so its own rules judge them. */
const endpoint = { ...saveVariable, request: saveVariable.request.shape.variable };

export function VariableForm({ variable, onSaved, onCancel }: Props) {
  const [times, setTimes] = useState(0);
  const [empty, setEmpty] = useState<string>();
  const { onSubmit, problems, error, busy } = useSubmit({
    endpoint,
    send: async ({ name = '', value = '' }) => {
      setEmpty(value.trim() ? undefined : 'Please fill this in.');
      if (!value.trim()) return;
      await call(saveVariable, { variable: { name, value } });
      showToast('success', `“${name.trim()}” is kept.`);
      setTimes(times + 1);
      await onSaved();
    },
  });
  return (
    <form key={times} className="stack" onSubmit={onSubmit} noValidate>
      <h3>{variable ? `Change “${variable.name}”` : 'Keep a new variable'}</h3>
      {error && <Notice tone="error">{error}</Notice>}
      {variable ? (
        <input type="hidden" name="name" value={variable.name} />
      ) : (
        <TextField label="Name" name="name" autoComplete="off" problem={problems.name} />
      )}
      <TextArea label="Text" name="value" defaultValue={variable?.value ?? ''} problem={problems.value ?? empty} />
      <div className="row">
        <Button type="submit" variant="secondary" busy={busy}>
          Keep it
        </Button>
        {variable && (
          <Button variant="ghost" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
