// Adjudication without leaving the page.
for (const form of document.querySelectorAll("form.adjudicate")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const campaign = document.querySelector("main[data-campaign]").dataset.campaign;
    const status = form.querySelector("[role=status]");
    const answer = await fetch(`/api/campaigns/${campaign}/adjudications`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        uuid: crypto.randomUUID(),
        item: Number(form.dataset.item),
        question: form.dataset.question,
        answer: form.elements.answer.value,
        reason: form.elements.reason.value,
      }),
    });
    if (answer.ok) location.reload();
    else status.textContent = (await answer.json()).error;
  });
}
