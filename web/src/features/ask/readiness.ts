import { missingIn, type Sheet } from '@rowmill/contract';
import type { OptionProblems } from '../../entities/prompt/options.ts';
import * as texts from '../../texts/ask.ts';

interface Work {
  sheet: Sheet | undefined;
  /** Another file is being chosen or read. */
  isReplacing: boolean;
  prompt: string;
  /** Null while they are loading. */
  variables: Readonly<Record<string, string>> | null;
  optionProblems: OptionProblems;
}

/** Why the prompt step is closed, or null. */
export function promptBlocker({ sheet }: Pick<Work, 'sheet'>): string | null {
  if (!sheet) return texts.chooseSheetFirst;
  if (!sheet.is_sure) return texts.confirmReadingFirst;
  if (sheet.rows === 0) return texts.sheetHasNoRows;
  return null;
}

/** Why there is nothing to preview, quote or start yet, or null. */
export function requestBlocker(work: Work): string | null {
  const { sheet, isReplacing, prompt, variables, optionProblems } = work;
  const blocker = promptBlocker({ sheet });
  if (blocker) return blocker;
  if (isReplacing) return texts.otherFileFirst;
  if (!prompt.trim()) return texts.writePromptFirst;
  if (!variables) return texts.loadingVariables;
  const missing = missingIn(prompt, { columns: sheet?.columns ?? [], variables });
  if (missing.length > 0) return texts.fixUnknownNames(missing);
  const hasProblems = Object.keys(optionProblems).length > 0;
  return optionProblems.columns ?? (hasProblems ? texts.fixAdvancedFirst : null);
}
