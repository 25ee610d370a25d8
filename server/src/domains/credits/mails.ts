import type { MailContent } from '../notifications/mails.ts';

interface Person {
  first_name: string;
  last_name: string;
  email: string;
}

const left = (available: number) => `${available.toLocaleString('en')} submissions are available`;

export function ownBalanceIsLow(client: Person, available: number, publicUrl: string): MailContent {
  return {
    subject: 'Few submissions are left',
    greeting: `Hello ${client.first_name},`,
    paragraphs: [
      `${left(available)} in your account now. Batches that run have what they need already.`,
    ],
    action: { label: 'Buy credits', url: `${publicUrl}/credits` },
    reason: `This notice goes to ${client.email} once each time the balance falls below the mark that is set for it.`,
  };
}

export function clientIsLow(
  admin: Person,
  client: Person,
  { available, publicUrl }: { available: number; publicUrl: string },
): MailContent {
  const name = `${client.first_name} ${client.last_name}`;
  return {
    subject: `${name} has few submissions left`,
    greeting: `Hello ${admin.first_name},`,
    paragraphs: [
      `${left(available)} in the account of your client ${name} now. You can give some from your own balance.`,
    ],
    action: {
      label: 'Go to the client',
      url: `${publicUrl}/clients?search=${encodeURIComponent(client.email)}`,
    },
    reason: `This notice goes to ${admin.email} because you look after this client.`,
  };
}
