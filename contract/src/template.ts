/**
 * Prompts with `{{column}}` variables. The browser fills them in to show prompts, the server to send them. A column wins over
 * a saved variable of the same name, and variables in a filled-in value are not replaced again.
 */
const placeholder = /\{\{\s*([^{}]{1,200}?)\s*\}\}/g;

export function variablesIn(template: string): string[] {
  return [...new Set([...template.matchAll(placeholder)].map(([, name = '']) => name))];
}

interface Values {
  columns: readonly string[];
  variables?: Readonly<Record<string, string>>;
}

/** The names in a template that are neither columns nor saved variables. */
export function missingIn(template: string, { columns, variables = {} }: Values): string[] {
  return variablesIn(template).filter(
    (name) => columnOf(name, columns) < 0 && !Object.hasOwn(variables, name),
  );
}

export function unusedColumns(template: string, columns: readonly string[]): string[] {
  const used = new Set(variablesIn(template).map((name) => columnOf(name, columns)));
  return columns.filter((_, index) => !used.has(index));
}

/** Parses the template once, so that filling it in for a million rows only joins strings. */
export function compileTemplate(
  template: string,
  { columns, variables = {} }: Values,
): (cells: readonly string[]) => string {
  const parts: (string | number)[] = [];
  let end = 0;
  for (const match of template.matchAll(placeholder)) {
    const [whole, name = ''] = match;
    const column = columnOf(name, columns);
    const value =
      column >= 0 ? column : Object.hasOwn(variables, name) ? (variables[name] ?? '') : whole;
    parts.push(template.slice(end, match.index), value);
    end = match.index + whole.length;
  }
  parts.push(template.slice(end));
  return (cells) =>
    parts.map((part) => (typeof part === 'number' ? (cells[part] ?? '') : part)).join('');
}

/** By exact name, otherwise ignoring case. */
function columnOf(name: string, columns: readonly string[]): number {
  const exact = columns.indexOf(name);
  return exact >= 0
    ? exact
    : columns.findIndex((column) => column.toLowerCase() === name.toLowerCase());
}
