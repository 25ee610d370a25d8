import { nameOf, type RoleName } from '@rowmill/contract';

interface Person {
  first_name: string;
  last_name: string;
}

export const withArticle = (role: RoleName) => `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`;

/** By refusal code. */
export const refused = {
  not_now: {
    operator:
      'Operators cannot be changed here. Use the operator command on the server to add one.',
    notAClient: 'Only a client can have an admin.',
    notAnAdmin: {
      message: 'Choose an admin who is not suspended.',
      fields: { admin_id: 'Not an admin.' },
    },
  },
};

export const roleChanged = (person: Person, role: RoleName) =>
  `${nameOf(person)} is now ${withArticle(role)}.`;
export const managerChanged = (person: Person) => `Manager of ${nameOf(person)} changed.`;
export const suspended = (person: Person) => `${nameOf(person)} is suspended and signed out.`;
export const unsuspended = (person: Person) => `${nameOf(person)} can sign in again.`;
export const changedMeanwhile =
  'Someone has changed this since you opened it. Look at their changes before you save yours.';
