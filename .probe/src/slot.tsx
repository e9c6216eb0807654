export default function Latest() {
  return <p>slot</p>;
}
