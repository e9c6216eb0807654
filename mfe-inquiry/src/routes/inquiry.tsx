import { useLoaderData } from '@colonnade/mfe';
import content from '../../content/inquiry.md';
import { Contact } from '../contact.tsx';
import { InquiryForm } from '../form.tsx';
import { Received } from '../received.tsx';
import s from './inquiry.module.css';
import type { InquiryData } from './inquiry.server.ts';

/** The form, or what follows it. */
export default function Inquiry() {
  const data = useLoaderData<InquiryData | undefined>();
  if (data && 'received' in data) return <Received reference={data.received.reference} />;
  return (
    <>
      <div className="head page grid">
        <h1 className="c1-8">Inquiry</h1>
        <p className={`${s.lede} lede c1-8`}>{content.lede}</p>
      </div>
      <div className={`${s.end} page grid`}>
        <div className="c1-7">
          <InquiryForm newKey={data?.key} startedAt={data?.startedAt} />
        </div>
        <Contact />
      </div>
    </>
  );
}
