import { formatInitials } from '../lib/format.ts';
import * as texts from '../texts/ui.ts';

interface Props {
  person: { first_name: string; last_name: string; profile_photo: string | null };
  /** What it shows, for who does not see it. */
  label: string;
}

/** The photo of a person, or the initials where there is none. */
export function Avatar({ person, label }: Props) {
  if (person.profile_photo)
    return <img className="avatar" src={person.profile_photo} alt={label} width="96" height="96" />;
  return (
    <span className="avatar" role="img" aria-label={texts.initials(label)}>
      {formatInitials(person.first_name, person.last_name)}
    </span>
  );
}
