import { missingIn, type Sheet } from '@rowmill/contract';
import * as texts from '../../texts/ask.ts';

interface Work {
  sheet: Sheet | undefined;
  question: string;
  /** Null while they are not known yet. */
  variables: Readonly<Record<string, string>> | null;
  hasOptionProblems: boolean;
}

/** Why the question cannot be written yet, or null. */
export function holdsQuestion({ sheet }: Pick<Work, 'sheet'>): string | null {
  if (!sheet) return texts.sheetFirst;
  if (!sheet.is_sure) return texts.readingFirst;
  if (sheet.rows === 0) return texts.noRows;
  return null;
}

/** Why nothing can be checked, quoted or started yet, or null. */
export function holdsRequest({
  sheet,
  question,
  variables,
  hasOptionProblems,
}: Work): string | null {
  const first = holdsQuestion({ sheet });
  if (first) return first;
  if (!question.trim()) return texts.questionFirst;
  if (!variables) return texts.waitingForVariables;
  const missing = missingIn(question, { columns: sheet?.columns ?? [], variables });
  if (missing.length > 0) return texts.correctQuestionFirst(texts.listed(missing));
  return hasOptionProblems ? texts.correctOptionsFirst : null;
}
