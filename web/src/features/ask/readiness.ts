import { missingIn, type Sheet } from '@rowmill/contract';

interface Work {
  sheet: Sheet | undefined;
  question: string;
  /** Null while they are not known yet. */
  variables: Readonly<Record<string, string>> | null;
  hasOptionProblems: boolean;
}

/** Why the question cannot be written yet, or null. */
export function holdsQuestion({ sheet }: Pick<Work, 'sheet'>): string | null {
  if (!sheet) return 'Choose a sheet first.';
  if (!sheet.is_sure) return 'Say first how the sheet is to be read.';
  if (sheet.rows === 0) return 'The sheet has no rows. Choose another one.';
  return null;
}

/** Why nothing can be checked, quoted or started yet, or null. */
export function holdsRequest({ sheet, question, variables, hasOptionProblems }: Work): string | null {
  const first = holdsQuestion({ sheet });
  if (first) return first;
  if (!question.trim()) return 'Write a question first.';
  if (!variables) return 'Waiting for your kept variables.';
  const missing = missingIn(question, { columns: sheet?.columns ?? [], variables });
  if (missing.length > 0) return `Nothing is called ${listed(missing)}. Correct the question first.`;
  return hasOptionProblems ? 'Correct the options first.' : null;
}

export function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(names.map((name) => `“${name}”`));
}
