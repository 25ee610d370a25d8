import { errorMessage } from '../lib/api/refusal.ts';
import styles from './error-note.module.css';
import { Notice } from './notice.tsx';

/** Why an action failed, beside it until it is tried again, while a toast disappears. */
export function ErrorNote({ error }: { error: unknown }) {
  return error ? <p className={styles.note}>{errorMessage(error)}</p> : null;
}

/** The same for a whole form or step. */
export function ErrorNotice({ error }: { error: unknown }) {
  return error ? (
    <Notice tone="error" isStatic>
      {errorMessage(error)}
    </Notice>
  ) : null;
}
