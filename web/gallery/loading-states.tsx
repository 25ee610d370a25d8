import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { Loading } from '../src/ui/loading.tsx';

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });

const states = {
  pending: () => new Promise<string>(() => {}),
  error: () => Promise.reject(new Error('The server cannot be reached.')),
  data: () => Promise.resolve('Loaded data.'),
} as const;

/** A query in each of its three states. */
export function LoadingStates() {
  return (
    <QueryClientProvider client={client}>
      {(Object.keys(states) as (keyof typeof states)[]).map((name) => (
        <OneState key={name} name={name} />
      ))}
    </QueryClientProvider>
  );
}

function OneState({ name }: { name: keyof typeof states }) {
  const query = useQuery({ queryKey: [name], queryFn: states[name] });
  return <Loading query={query}>{(words) => <p>{words}</p>}</Loading>;
}
