import { refuse } from '../../refusal.ts';
import { judgePassword } from './judge-password.ts';

/** The list of common passwords is large, so it is loaded when the first one is chosen. */
export async function refuseWeakPassword(
  password: string,
  personalWords: readonly string[],
): Promise<void> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const problem = judgePassword(password, {
    common: dictionary['passwords-common'] as readonly string[],
    personalWords,
  });
  if (problem) refuse('invalid_input', { fields: { password: problem } });
}
