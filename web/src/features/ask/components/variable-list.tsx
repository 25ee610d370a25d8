import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import type { KeptVariable } from '../api.ts';

interface Props {
  variables: readonly KeptVariable[];
  columns: readonly string[];
  onEdit: (variable: KeptVariable) => void;
  onRemove: (name: string) => void;
}

export function VariableList({ variables, columns, onEdit, onRemove }: Props) {
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
