import { formatInitials } from '../lib/format.ts';
import * as texts from '../texts/ui.ts';
import styles from './avatar.module.css';

interface Props {
  person: { first_name: string; last_name: string; profile_photo: string | null };
  /** For screen readers. */
  label: string;
  /** As high as two lines of text, for a person who is named beside it. */
  isSmall?: boolean;
}

/** A person's photo, or their initials. */
export function Avatar({ person, label, isSmall = false }: Props) {
  const className = `${styles.avatar} ${isSmall ? styles.small : ''}`;
  if (person.profile_photo)
    return (
      <img
        className={className}
        src={person.profile_photo}
        alt={isSmall ? '' : label}
        width="96"
        height="96"
      />
    );
  const initials = formatInitials(person.first_name, person.last_name);
  if (isSmall)
    return (
      <span className={className} aria-hidden>
        {initials}
      </span>
    );
  return (
    <span className={className} role="img" aria-label={texts.initials(label)}>
      {initials}
    </span>
  );
}
