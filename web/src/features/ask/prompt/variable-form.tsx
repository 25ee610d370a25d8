import { saveVariable } from '@rowmill/contract';
import { useState } from 'react';
import { InvalidFields, useForm } from '../../../lib/hooks/use-form.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { TextArea } from '../../../ui/form/text-area.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import type { SavedVariable } from '../api.ts';

interface Props {
  /** The variable to edit, or null to add one. */
  variable: SavedVariable | null;
  onSaved: () => Promise<void>;
  onCancel: () => void;
}

export function VariableForm({ variable, onSaved, onCancel }: Props) {
  const [savedCount, setSavedCount] = useState(0);
  const form = useForm(async (values, send) => {
    const { 'variable.name': name = '', 'variable.value': value = '' } = values;
    if (!value.trim()) throw new InvalidFields({ 'variable.value': texts.enterText });
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
