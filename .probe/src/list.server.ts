import { type HandlerArgs, notFound } from '@colonnade/mfe';
export async function loader({ params }: HandlerArgs) {
  if (params.x) notFound();
  return { secret: 'SERVERONLY' };
}
