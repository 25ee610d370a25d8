import { formatInitials } from '../lib/format.ts';
import * as texts from '../texts/ui.ts';
import styles from './avatar.module.css';

interface Props {
  person: { first_name: string; last_name: string; profile_photo: string | null };
  /** For screen readers. */
  label: string;
}

/** A person's photo, or their initials. */
export function Avatar({ person, label }: Props) {
  if (person.profile_photo)
    return (
      <img
        className={styles.avatar}
        src={person.profile_photo}
        alt={label}
        width="96"
        height="96"
      />
    );
  return (
    <span className={styles.avatar} role="img" aria-label={texts.initials(label)}>
      {formatInitials(person.first_name, person.last_name)}
    </span>
  );
}
